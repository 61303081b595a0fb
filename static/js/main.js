// What every page loads. The order counts where several modules hear of the same event: what cleans
// or confirms comes before what counts, saves or sends.
import "./lib/typing.js";
import "./lib/session.js";
import "./lib/dialogs.js";
import "./lib/themes.js";
import "./lib/menus.js";
import "./lib/lines.js";
import "./lib/copying.js";
import "./lib/counters.js";
import "./lib/pasting.js";
import "./lib/error-summary.js";
import "./lib/announcements.js";
import "./lib/quotations.js";
import "./lib/keys.js";
import "./lib/history.js";
import "./lib/saving.js";
import "./lib/kept-offers.js";
import "./lib/autosave-events.js";
import "./lib/kept-forms.js";
import "./lib/refresh.js";
import "./lib/notice-links.js";

// What those import in their turn: named here, so that the browser asks for everything at once.
import "./lib/arrivals.js";
import "./lib/autosave.js";
import "./lib/clicks.js";
import "./lib/clock.js";
import "./lib/conflict.js";
import "./lib/delivery.js";
import "./lib/dom.js";
import "./lib/field-faults.js";
import "./lib/form-values.js";
import "./lib/kept-texts.js";
import "./lib/key-list.js";
import "./lib/parts.js";
import "./lib/pressing.js";
import "./lib/requests.js";
import "./lib/single-keys.js";
import "./lib/storage.js";
import "./lib/text-ranges.js";
import "./lib/words.js";
