# Template instantiations against committed budgets, and the growth of names: see compile_budget/check, names.
set(budget ${CMAKE_CURRENT_SOURCE_DIR}/compile_budget)
add_test(NAME compile_budget/instantiations
         COMMAND ${budget}/check clang++-19 ${budget}/budget.txt -I${PROJECT_SOURCE_DIR}/include)
add_test(NAME compile_budget/self_test COMMAND ${budget}/self_test clang++-19 -I${PROJECT_SOURCE_DIR}/include)
add_test(NAME compile_budget/names COMMAND ${budget}/names g++ -I${PROJECT_SOURCE_DIR}/include)
set_tests_properties(compile_budget/instantiations compile_budget/self_test compile_budget/names PROPERTIES
                     LABELS compile_budget TIMEOUT 300 SKIP_RETURN_CODE 77)
