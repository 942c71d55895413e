const TASK_BOX = /^\[([ xX])\][ \t]+(?=\S)/;

/** Returns the box at the start of a list item, such as `[x] `, or `undefined` if the item is not a task. */
export function taskBoxOf(content: string): { length: number; isChecked: boolean } | undefined {
  const box = TASK_BOX.exec(content);
  return box ? { length: box[0].length, isChecked: box[1] !== ' ' } : undefined;
}
