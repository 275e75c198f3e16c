#include "trained.hpp"

template class tenon::engine::executor<training::plan>;
template class tenon::engine::executor<training::evaluation_type::plan>;
template tenon::reports::history tenon::fit(training&, const samples&, const tenon::fit_options<training>&);
template tenon::reports::evaluation tenon::evaluate(training&, const samples&,
                                                    tenon::engine::metrics_of<training>);
template void tenon::engine::for_each_in_order(const samples&, training::evaluation_type&,
                                               tenon::engine::function_ref<void()>);
