/** How this program names itself to those whom it asks. */
export const ownName = "intelligence-data-service/1.0";
