# Template instantiations against committed budgets: see compile_budget/check.
set(budget ${CMAKE_CURRENT_SOURCE_DIR}/compile_budget)
add_test(NAME compile_budget/instantiations
         COMMAND ${budget}/check clang++-19 ${budget}/budget.txt -I${PROJECT_SOURCE_DIR}/include)
add_test(NAME compile_budget/self_test COMMAND ${budget}/self_test clang++-19 -I${PROJECT_SOURCE_DIR}/include)
set_tests_properties(compile_budget/instantiations compile_budget/self_test PROPERTIES
                     LABELS compile_budget TIMEOUT 300 SKIP_RETURN_CODE 77)
