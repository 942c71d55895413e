/** Returns the pages of operations, of tags, and of all operations. */
export default function operationPages(): { file: string; text: string }[];
