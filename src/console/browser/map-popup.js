import { commonLabels, near } from "../map/marks.ts";
import { dayText, spanText } from "./map-form.js";

/** Degrees by which a link to rows selects more than the rounded coordinates of their points. */
const margin = 0.05;
/** Zoom level at which a read returns all of its rows. */
const nearZoom = "22";

/** Creates the box with the details of a mark or a country. Escape and a click outside of it close it. */
export function createPopup(figure) {
  const box = document.createElement("div");
  box.className = "popup";
  box.popover = "auto";
  box.setAttribute("role", "dialog");
  const [title, text, link, close] = ["strong", "p", "a", "button"].map((name) => document.createElement(name));
  link.autofocus = true;
  link.rel = "noopener";
  if (document.body.matches(".embed")) link.target = "_blank";
  Object.assign(close, { type: "button", className: "quiet", textContent: "×", ariaLabel: "Close" });
  close.addEventListener("click", () => box.hidePopover());
  box.append(title, close, text, link);
  figure.append(box);

  const show = (lines, href, action, [x, y]) => {
    const [head, ...rest] = lines.filter((line) => line !== "");
    title.textContent = head;
    box.setAttribute("aria-label", head);
    text.textContent = rest.join("\n");
    link.href = href;
    link.textContent = action;
    box.hidePopover();
    box.showPopover();
    const { width, height } = box.getBoundingClientRect();
    const left = Math.max(8, Math.min(x + 12, document.documentElement.clientWidth - width - 8));
    const top = y + 12 + height > innerHeight ? Math.max(8, y - height - 12) : y + 12;
    box.style.left = `${left + scrollX}px`;
    box.style.top = `${top + scrollY}px`;
  };
  return {
    isOpen: () => box.matches(":popover-open"),
    hide: () => box.hidePopover(),
    showLink(from, at) {
      const lines = from.dataset.tip.split("\n");
      show(lines, from.getAttribute("href"), `Open ${lines[0]}`, at);
    },
    showMark(mark, layer, at) {
      const days = mark.points.flatMap(({ day }) => day ?? []);
      const when = days.length === 0 ? "" : spanText(Math.min(...days), Math.max(...days));
      const lines = [`${layer.title}: ${mark.weight}`, ...commonLabels(mark), when];
      show(lines, rowsAddress(mark, layer, days), mark.weight === 1 ? "Show the row" : "Show the rows", at);
    },
  };
}

/** Returns the page with the rows of a mark, as far as the read can select them. */
function rowsAddress({ points, longitude }, { page, box, span }, days) {
  const address = new URL(page, location.href);
  const query = address.searchParams;
  if (box !== "") {
    const latitudes = points.map((point) => point.latitude);
    const longitudes = points.map((point) => near(point.longitude, longitude));
    query.set("sw_lat", Math.max(-90, Math.min(...latitudes) - margin).toFixed(2));
    query.set("sw_lon", near(Math.min(...longitudes) - margin, 0).toFixed(2));
    query.set("ne_lat", Math.min(90, Math.max(...latitudes) + margin).toFixed(2));
    query.set("ne_lon", near(Math.max(...longitudes) + margin, 0).toFixed(2));
  }
  if (box === "zoom") query.set("zoom", nearZoom);
  if (span !== undefined && days.length > 0) {
    const [start, end] = [Math.min(...days), Math.max(...days)].map(dayText);
    query.set("start", start);
    query.set("end", end);
  }
  address.hash = "rows";
  return address.href;
}
