// The exam page: every answer is sent on its own as it is given, with the seconds its question was
// in view; the server's clock decides. Without this file the page still works: handing in sends
// everything.
import "./exam/order.js";
import "./exam/progress.js";
import "./exam/sending.js";
import "./exam/clock.js";

// What those import in their turn: named here, so that the browser asks for everything at once.
import "./exam/answers.js";
import "./exam/time.js";
