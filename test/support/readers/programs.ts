/** The file that a line of a program reads. */
export interface Reading {
  /** Address of a file in the documented format. */
  readonly url: string;
  readonly key: string;
  /** Address of the service. */
  readonly service: string;
  readonly format: string;
  /** The documented line. */
  readonly line: string;
}

interface Common {
  /** Its name in the documentation. */
  readonly name: string;
  /** The read, if another than the proof's usual ones. */
  readonly path?: string;
  /** The command that prints the ID of each row. */
  readonly command: (reading: Reading) => readonly [string, ...string[]];
}

/** A program that reads the service, and how to install it. */
export type Program = Common &
  (
    | {
        readonly kind: "python";
        readonly package: string;
        /** Further packages that its line requires. */
        readonly more?: readonly string[];
        /** Python that runs once after the installation. */
        readonly prepare?: string;
      }
    | { readonly kind: "node"; readonly package: string }
    /** A program of the system, and the shell command that prints its version. */
    | { readonly kind: "system"; readonly version: string }
  );

/** Arrow's threads may still run when an interpreter that had little to do is torn down, which aborts it. */
const endPython = "import os; os._exit(0)";

/** Python that runs a line as `table` and prints the IDs that an expression takes from it. */
function python(imports: string, ids: string, before: (reading: Reading) => string = () => ""): Common["command"] {
  return (reading) => {
    const { url, key, line } = reading;
    const names = `url = ${JSON.stringify(url)}\nKEY = ${JSON.stringify(key)}\n${before(reading)}`;
    const print = `print("\\n".join(map(str, ${ids})), flush=True)\n${endPython}`;
    return ["python/bin/python", "-c", `import ${imports}\n${names}\ntable = ${line}\n${print}`];
  };
}

const frame = 'list(table["id"])';

/** A script of a module that runs a line as `table` and prints the IDs that an expression takes from it. */
function node(imports: string, ids: string): Common["command"] {
  return ({ url, key, line }) => {
    const names = `const url = ${JSON.stringify(url)}; const KEY = ${JSON.stringify(key)};`;
    const script = `${imports}\n${names}\nconst table = ${line};\nconsole.log(${ids}.join("\\n"));`;
    return [process.execPath, "--input-type=module", "-e", script];
  };
}

function r(ids: string, before = ""): Common["command"] {
  return ({ url, key, line }) => {
    const names = `url <- ${JSON.stringify(url)}\nKEY <- ${JSON.stringify(key)}\n${before}`;
    return ["Rscript", "--vanilla", "-e", `${names}\ntable <- ${line}\ncat(${ids}, sep = "\\n")`];
  };
}

function shell(before: string, after: (reading: Reading) => string): Common["command"] {
  return (reading) => {
    const script = `${before}\n{ ${reading.line}; } >/dev/null 2>&1\n${after(reading)}`;
    return ["sh", "-ec", `url='${reading.url}'\nformat=${reading.format}\n${script}`];
  };
}

/** The Python for which Debian builds QGIS. */
const systemPython = "/usr/bin/python3";
const qgisVersion = `${systemPython} -c "from qgis.core import Qgis; print(Qgis.QGIS_VERSION)"`;

const httpExtension = "from duckdb_extensions import import_extension; import_extension('httpfs')";
const duckdbSecret = ({ service, key }: Reading) =>
  `duckdb.sql("CREATE SECRET (TYPE http, SCOPE '${service}', EXTRA_HTTP_HEADERS MAP {'X-Service-Key': '${key}'})")`;
const duckdbTable = '(table or duckdb.sql("FROM ids.internet_outages")).select("id").fetchall()';
const overHttp = ["fsspec==2026.9.0", "aiohttp==3.14.5"];
const datasets = "/api/catalog/v1/list-datasets";
const catalogued = "table.subjects(rdflib.RDF.type, rdflib.DCAT.Dataset)";
const violating = "table[1].objects(None, SH.focusNode)";
const csvIds = "import csv; print('\\n'.join(row['id'] for row in csv.DictReader(open('again/events.csv'))))";

/** Runs a line in PyQGIS of the system, without a display. Stores the file first if the line reads one. */
const pyqgis: Common["command"] = ({ url, key, line, format }) => {
  const file = `events.${format}`;
  const download = line.includes(file) ? `urlretrieve(${JSON.stringify(url)}, "${file}")` : "";
  const script = `import os
from urllib.request import urlretrieve
from qgis.core import QgsApplication, QgsNetworkAccessManager, QgsVectorLayer
application = QgsApplication([], False)
application.initQgis()
add_key = lambda request: request.setRawHeader(b"X-Service-Key", b"${key}")
QgsNetworkAccessManager.setRequestPreprocessor(add_key)
url = ${JSON.stringify(url)}
${download}
layer = ${line}
print("\\n".join(feature["id"] for feature in layer.getFeatures()), flush=True)
os._exit(0)`;
  return ["env", "QT_QPA_PLATFORM=offscreen", systemPython, "-c", script];
};

export const programs: readonly Program[] = [
  {
    ...{ name: "pandas", kind: "python", package: "pandas", more: ["pyarrow==26.0.1", "openpyxl==3.1.5"] },
    command: python("pandas as pd", frame),
  },
  {
    ...{ name: "Polars", kind: "python", package: "polars" },
    command: python("polars as pl", 'list(table.lazy().collect()["id"])'),
  },
  {
    ...{ name: "DuckDB", kind: "python", package: "duckdb", prepare: httpExtension },
    more: ["duckdb-extensions==1.5.5", "duckdb-extension-httpfs==1.5.5", "pytz==2026.6"],
    command: python("duckdb", `[row[0] for row in ${duckdbTable}]`, (reading) =>
      reading.format === "database" ? duckdbSecret(reading) : "",
    ),
  },
  {
    ...{ name: "PyArrow", kind: "python", package: "pyarrow", more: overHttp },
    command: python("fsspec, pyarrow.dataset as ds", 'table.to_table()["id"].to_pylist()'),
  },
  {
    ...{
      name: "GeoPandas",
      kind: "python",
      package: "geopandas",
      more: overHttp.concat("pyogrio==0.13.0", "pyarrow==26.0.1"),
    },
    command: python("geopandas as gpd", frame),
  },
  {
    ...{ name: "pyogrio", kind: "python", package: "pyogrio", more: ["geopandas==1.2.0"] },
    command: python("pyogrio", frame),
  },
  {
    ...{ name: "openpyxl", kind: "python", package: "openpyxl" },
    command: python(
      "io, openpyxl\nfrom urllib.request import urlopen",
      "[cell.value for cell in table.active['A'][1:]]",
    ),
  },
  {
    ...{ name: "Frictionless", kind: "python", package: "frictionless" },
    command: python("frictionless", '[row["id"] for row in table.read_rows()]'),
  },
  {
    ...{ name: "feedparser", kind: "python", package: "feedparser" },
    command: python("feedparser", "[entry.id for entry in table.entries if not table.bozo]"),
  },
  {
    ...{ name: "mlcroissant", kind: "python", package: "mlcroissant" },
    command: python(
      "mlcroissant",
      '[row["list-conflict-events/events/id"].decode() for row in table.records("list-conflict-events/events")]',
    ),
  },
  {
    ...{ name: "RDFLib", kind: "python", package: "rdflib", path: datasets },
    command: python("rdflib", catalogued),
  },
  {
    ...{ name: "pySHACL", kind: "python", package: "pyshacl", path: datasets },
    command: python("pyshacl\nfrom rdflib import SH", violating),
  },
  {
    ...{ name: "feedsmith", kind: "node", package: "feedsmith" },
    command: node('import { parseFeed } from "feedsmith";', "table.feed.items.map(({ id }) => id)"),
  },
  {
    ...{ name: "ical.js", kind: "node", package: "ical.js", path: "/api/research/v1/list-tech-events" },
    command: node(
      'import ICAL from "ical.js";',
      'new ICAL.Component(table).getAllSubcomponents("vevent").map((event) => event.getFirstPropertyValue("uid"))',
    ),
  },
  { name: "R", kind: "system", version: "Rscript --version", command: r("table$id") },
  {
    ...{ name: "readr", kind: "system", version: `Rscript -e 'cat(format(packageVersion("readr")))'` },
    command: r("table$id"),
  },
  {
    ...{ name: "httr2", kind: "system", version: `Rscript -e 'cat(format(packageVersion("httr2")))'` },
    command: r("read.csv(text = resp_body_string(table))$id", "library(httr2)"),
  },
  {
    ...{ name: "curl", kind: "system", version: "curl --version" },
    command: shell(
      'curl -sf -r 0-9999 -o events.ndjson "$url"',
      () => `sed 's/^{"id":"\\([^"]*\\).*/\\1/' events.ndjson`,
    ),
  },
  {
    ...{ name: "LibreOffice", kind: "system", version: "soffice --version" },
    command: shell('rm -rf events.* again; curl -sf -o "events.$format" "$url"', ({ format }) => {
      const converted = format === "csv" ? "events.xlsx" : "events.ods";
      const inUtf8 = "--convert-to 'csv:Text - txt - csv (StarCalc):44,34,76'";
      return `soffice --headless ${inUtf8} --outdir again ${converted} >/dev/null 2>&1\npython3 -c "${csvIds}"`;
    }),
  },
  { name: "QGIS", kind: "system", version: qgisVersion, command: pyqgis },
];
