/** Returns the pages of scopes, limits and event types. */
export function catalogues(api: object): { file: string; text: string }[];
