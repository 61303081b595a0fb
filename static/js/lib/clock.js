// Times as the reader's clock and language tell them.
const SHORT = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
const DAY = { weekday: "short", day: "numeric", month: "short", ...SHORT };

// "12:03:22"; now, where no time is given. What is no time stays as it is.
export const secondsClock = (at) => {
  const date = at ? new Date(at) : new Date();
  return at && Number.isNaN(date.getTime())
    ? String(at)
    : date.toLocaleTimeString([], { hour12: false });
};

// "14:02"
export const minuteClock = (at) => new Date(at).toLocaleTimeString([], SHORT);

// "Mon 23 Nov, 14:02"
export const dayAndMinute = (at) => {
  const { lang } = document.documentElement;
  const date = new Date(at);
  return Number.isNaN(date.getTime())
    ? String(at)
    : date.toLocaleString(lang === "en" ? "en-GB" : lang, DAY);
};
