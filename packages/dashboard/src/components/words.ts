/** A word of the API as the beginning of a label: "succeeded" becomes "Succeeded". */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
