/** A section with everything that the editor decorates. */
const SECTION = `
## Section {number}

Plain words with **strong**, *emphasis*, ~~struck~~ and \`code\`, a [link](https://example.com/{number}) and \\*escapes\\*.
A second line of the same paragraph, which goes on for a while so that it wraps in a column of 71 characters.

- First item with **strong** text
- Second item
  - Nested item with \`code\`
- [ ] A task
- [x] Another task

1. One
2. Two

> Somebody said this, and it takes a whole line to say it.

| Name | Amount | Notes |
| :--- | -----: | :---: |
| Apples | {number} | **fresh** |
| Pears | 3 | |

\`\`\`js
const answer = {number};
\`\`\`

![Diagram](https://images.example.com/{number}.png)
`;

/** Returns a Markdown text of this length, the same each time. */
export function markdownOf(length: number): string {
  let text = '# First section\n\nSomebody writes here\n';
  for (let number = 1; text.length < length; number += 1) {
    text += SECTION.replaceAll('{number}', String(number));
  }
  return text.slice(0, length);
}
