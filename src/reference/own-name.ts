/** Name of this program in requests to other services. */
export const ownName = "intelligence-data-service/1.0";
