import { dayMs } from "../../reference/duration.ts";
import { periodText } from "../view/times.ts";

export function dayText(day) {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

export function spanText(first, last) {
  const [from, until] = [first, last].map((day) => periodText(day * dayMs));
  return from === until ? from : `${from} to ${until}`;
}

/** Keeps layers and days in the URL, so that a view can be shared. Calls `change` with the chosen days. */
export function startMapForm(figure, change) {
  const form = figure.querySelector("form.layer-form");
  const times = form.querySelector(".times");
  if (times) startSlider(times, change);
  form.addEventListener("change", ({ target }) => {
    if (target.matches("select")) form.requestSubmit();
    else remember(form);
  });
  form.addEventListener("formdata", ({ formData }) => {
    formData.delete("layer");
    for (const layer of chosenLayers(form)) formData.append("layer", layer);
  });
  // If the user goes back, the page has the choice of its own URL again.
  addEventListener("pageshow", () => {
    for (const option of form.querySelectorAll("option")) option.selected = option.defaultSelected;
  });
}

/** Replaces the two date fields with two handles on one line. */
function startSlider(fieldset, change) {
  const ends = [Number(fieldset.dataset.first), Number(fieldset.dataset.last)];
  const [first, last] = ends;
  const dates = [...fieldset.querySelectorAll("input")];
  const line = fieldset.querySelector(".span");
  const text = document.createElement("output");
  const handles = dates.map((date, place) => {
    const handle = document.createElement("input");
    Object.assign(handle, { type: "range", min: first, max: last });
    handle.value = date.value === "" ? ends[place] : Date.parse(date.value) / dayMs;
    handle.ariaLabel = date.labels[0].textContent;
    line.append(handle);
    return handle;
  });
  line.after(text);
  const show = (moved) => {
    const [from, until] = handles;
    // A handle pushes the other one along, so that they never change places.
    if (from.valueAsNumber > until.valueAsNumber) (moved === from ? until : from).value = moved.value;
    const days = handles.map((handle) => handle.valueAsNumber);
    for (const [place, day] of days.entries()) {
      dates[place].value = day === ends[place] ? "" : dayText(day);
      handles[place].ariaValueText = periodText(day * dayMs);
      line.style.setProperty(place === 0 ? "--from" : "--until", (day - first) / (last - first));
    }
    text.textContent = spanText(...days);
    // Hidden layers may have things before and after the bars.
    change(
      days.map((day, place) =>
        day === ends[place] ? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY][place] : day,
      ),
    );
  };
  for (const handle of handles) handle.addEventListener("input", () => show(handle));
  show(handles[0]);
}

function chosenLayers(form) {
  const layers = [...form.querySelectorAll("input[name=layer]")];
  const chosen = layers.filter(({ checked }) => checked);
  return (chosen.length > 0 ? chosen : layers.slice(0, 1)).map(({ value }) => value);
}

function remember(form) {
  const withChoice = (address) => {
    const own = new URL(address);
    own.searchParams.delete("layer");
    for (const layer of chosenLayers(form)) own.searchParams.append("layer", layer);
    for (const { name, value } of form.querySelectorAll("input[type=date]"))
      if (value === "") own.searchParams.delete(name);
      else own.searchParams.set(name, value);
    return own.href;
  };
  history.replaceState(history.state, "", withChoice(location.href));
  const block = form.closest("section");
  const links = [
    ...(block?.querySelectorAll('.provenance a[href*="embed=1"]') ?? []),
    ...document.querySelectorAll(".credit a"),
  ];
  for (const link of links) link.href = withChoice(link.href);
}
