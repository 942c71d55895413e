/** What made a version, where it was not a person's own change. Ids are public ones. */
export interface VersionOrigin {
  type: 'enhancement';
  enhancementId: string;
  /** The suggestions that it holds. */
  suggestionIds: readonly string[];
}
