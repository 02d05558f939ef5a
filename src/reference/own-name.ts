export const ownName = "intelligence-data-service/1.0";
