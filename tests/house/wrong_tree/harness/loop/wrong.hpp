// For the test of the include order: harness may not include scorers.
#pragma once
#include "scorers/anything.hpp"
