#include "model.hpp"

template class tenon::engine::executor<lookup_session::plan>;
