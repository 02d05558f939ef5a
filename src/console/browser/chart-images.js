const space = "http://www.w3.org/2000/svg";
const [margin, sharpness] = [16, 2];
/** Properties that decide how a mark looks. A file of its own has no style sheet. */
const looks =
  "fill fill-opacity stroke stroke-width stroke-dasharray stroke-linejoin stroke-linecap font-size font-weight text-anchor vector-effect".split(
    " ",
  );

/** Adds buttons to the menus of charts that save an image of exactly what the page shows. */
export function startChartImages() {
  for (const menu of document.querySelectorAll(".chart-menu")) {
    const figure = menu.closest(".block").querySelector("figure.chart");
    if (!figure) continue;
    for (const button of menu.querySelectorAll("[data-save]")) {
      button.parentElement.hidden = false;
      button.addEventListener("click", () => save(figure, menu, button.dataset.save));
    }
  }
}

async function save(figure, menu, format) {
  const { svg, width, height } = imageOf(figure, menu.dataset, format === "png" ? sharpness : 1);
  const source = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`;
  const name = menu.dataset.title.toLowerCase().replaceAll(/[^\p{L}\d]+/gu, "-");
  const link = document.createElement("a");
  link.download = `${name}${menu.dataset.sample ? ".sample" : ""}.${format}`;
  link.href = format === "svg" ? source : await rasterized(source, width, height);
  link.click();
}

async function rasterized(source, width, height) {
  const image = new Image();
  image.src = source;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = width * sharpness;
  canvas.height = height * sharpness;
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL("image/png");
}

/** Draws the chart below its title and above its legend, notes, sources, and address. */
function imageOf(figure, { title, sample, sources, address }, density) {
  const plot = figure.querySelector(".plot");
  const chart = plot.querySelector("svg");
  const [outer, inner] = [plot.getBoundingClientRect(), chart.getBoundingClientRect()];
  const width = Math.ceil(outer.width) + 2 * margin;
  const page = getComputedStyle(document.body);
  const svg = element("svg", { width, "font-family": page.fontFamily });
  const back = element("rect", { width: "100%", height: "100%", fill: page.backgroundColor });
  svg.append(element("title", {}, title), back);
  const ink = { fill: page.color, size: 12 };
  const soft = { ...ink, fill: getComputedStyle(figure.querySelector("text")).fill };
  let y = margin;
  const write = (text, { fill, size, weight = 400 }) => {
    for (const line of wrapped(text, `${weight} ${size}px ${page.fontFamily}`, width - 2 * margin)) {
      y += size * 1.4;
      svg.append(element("text", { x: margin, y, fill, "font-size": size, "font-weight": weight }, line));
    }
  };
  write(title, { ...ink, size: 17, weight: 700 });
  if (sample) write(sample, { ...ink, weight: 700 });
  const drawn = styled(chart, density);
  const place = { x: margin + inner.left - outer.left, y: y + 8 + inner.top - outer.top };
  for (const [name, value] of Object.entries({ ...place, width: inner.width, height: inner.height }))
    drawn.setAttribute(name, value);
  svg.append(drawn);
  y += 8 + outer.height;
  for (const item of figure.querySelectorAll(".legend li")) {
    const sign = styled(item.querySelector("svg"), density);
    for (const [name, value] of Object.entries({ x: margin, y: y + 7, width: 18, height: 10 }))
      sign.setAttribute(name, value);
    y += 17;
    svg.append(sign, element("text", { x: margin + 26, y, fill: ink.fill, "font-size": 12 }, item.textContent));
  }
  for (const text of [figure.querySelector(".notes")?.textContent, `Sources: ${sources}`, address])
    if (text) write(text, soft);
  const height = Math.ceil(y + margin);
  svg.setAttribute("height", height);
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  return { svg, width, height };
}

/**
 * Copies an element with the styles of the page as attributes, without what the page does not show. Strokes that do
 * not scale with their drawing are widened by the density of the image.
 */
function styled(original, density) {
  const copy = original.cloneNode(true);
  const copies = [copy, ...copy.querySelectorAll("*")];
  for (const [index, each] of [original, ...original.querySelectorAll("*")].entries()) {
    const style = getComputedStyle(each);
    const target = copies[index];
    if (style.display === "none" || style.visibility === "hidden") target.remove();
    const factor = style.vectorEffect === "non-scaling-stroke" ? density : 1;
    for (const name of looks) {
      const value = style.getPropertyValue(name);
      const isWidth = name === "stroke-width" || name === "stroke-dasharray";
      target.setAttribute(name, isWidth ? value.replaceAll(/[\d.]+/g, (size) => size * factor) : value);
    }
    if (target.localName === "svg") target.setAttribute("overflow", "visible");
    target.removeAttribute("class");
  }
  return copy;
}

function element(name, attributes, text = "") {
  const made = document.createElementNS(space, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
  return made;
}

function wrapped(text, font, width) {
  const context = document.createElement("canvas").getContext("2d");
  context.font = font;
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (lines.at(-1) === "" || context.measureText(longer).width <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
