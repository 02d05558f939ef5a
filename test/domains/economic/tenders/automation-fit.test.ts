import { expect, test } from "vitest";
import { automationFit } from "../../../../src/domains/economic/tenders/tender-row.ts";

const fitOf = (title: string, description = "", categories: readonly string[] = []) =>
  automationFit({ title, description, categories });

test.each([
  ["Cloud software for a data platform", ["software", "data platform", "cloud"], "high", 90],
  ["Managed services", [], "none", 0],
  ["Cyber security and cybersecurity", ["cybersecurity"], "low", 30],
  ["ARTIFICIAL INTELLIGENCE and Machine Learning", ["AI", "machine learning"], "medium", 60],
  ["Digitalisation", ["digital"], "low", 30],
  ["Data management, automation, cloud, digital", ["data management", "automation", "cloud", "digital"], "high", 90],
])("%s has the reasons %j: %s, %i", (title, matchReasons, level, score) => {
  expect(fitOf(title)).toMatchObject({ matchReasons, level, score });
});

test("the evidence names the first three terms with the first field that holds each", () => {
  expect(fitOf("Cloud", "software in the cloud", ["Automation", "digital"]).evidence).toEqual([
    "description: software",
    "categories: automation",
    "title: cloud",
  ]);
  expect(fitOf("Cyber security and cybersecurity").evidence).toEqual(["title: cybersecurity", "title: cyber security"]);
});
