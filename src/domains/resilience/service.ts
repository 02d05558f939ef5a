import { scheduled } from "../../ingest/scheduled.ts";
import { resilienceInputs } from "./resilience-inputs.ts";

/** The datasets behind these operations. */
export const resilienceDatasets = [scheduled(resilienceInputs)];
