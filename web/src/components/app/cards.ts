//! The cards that wait for the user, loaded when something does.

import "../approval/approval";
import "../query/query";
