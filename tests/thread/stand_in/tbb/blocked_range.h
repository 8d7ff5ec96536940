#pragma once
#include "../loops.h"
