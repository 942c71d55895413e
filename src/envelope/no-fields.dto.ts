/** The body of a request that takes none: fields that are sent all the same are refused, not dropped. */
export class NoFieldsDto {
  static readonly checks = {};
}
