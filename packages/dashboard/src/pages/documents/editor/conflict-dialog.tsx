import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useId, useMemo, useRef, useState } from 'react';
import { CodeBlock } from '../../../components/code-block.js';
import { Dialog } from '../../../components/dialog.js';
import type { Conflict } from './autosave.js';
import type { EditorHandle, MarkedRange } from './code-mirror.js';
import classes from './conflict-dialog.module.css';
import { ContentEditor } from './content-editor.js';
import { withPlainLineBreaks } from './line-breaks.js';
import { mergeTexts, sameTexts, type LineRange, type Preference, type Texts } from './merge.js';

interface ConflictDialogProps {
  conflict: Conflict;
  onResolve: (texts: Texts, options: { keepYours: boolean }) => void;
  /** Closes it for now: nothing is decided, and nothing lost. */
  onClose: () => void;
}

/** Shows both sides of a conflict, to be edited, and asks which text the document shall have. */
export default function ConflictDialog({ conflict, onResolve, onClose }: ConflictDialogProps) {
  const { base } = conflict;
  const [yours, setYours] = useState<Texts>(conflict.yours);
  const [theirs, setTheirs] = useState<Texts>(conflict.theirs);
  const prefer = preferenceOf(conflict, yours, theirs);
  const merged = useMemo(
    () => mergeTexts(base, yours, theirs, prefer).texts,
    [base, yours, theirs, prefer],
  );
  const overlaps = useMemo(
    () => mergeTexts(base, conflict.yours, conflict.theirs).overlaps,
    [base, conflict],
  );
  const titles = conflict.yours.title !== conflict.theirs.title;
  return (
    <Dialog
      title="Someone else also changed this"
      onClose={onClose}
      size="90rem"
      isUnsaved={() => !sameTexts(yours, conflict.yours) || !sameTexts(theirs, conflict.theirs)}
    >
      <Stack>
        <Text size="sm">Choose which text to keep. You can edit both sides first.</Text>
        <div className={classes.sides}>
          <Side
            name="Yours"
            texts={yours}
            hasTitle={titles}
            marked={overlaps.map((overlap) => overlap.yours)}
            onChange={setYours}
          />
          <Side
            name="Theirs"
            texts={theirs}
            hasTitle={titles}
            marked={overlaps.map((overlap) => overlap.theirs)}
            onChange={setTheirs}
          />
        </div>
        <details className={classes.merged}>
          <summary>Preview of the merged text</summary>
          {titles && <Text fw={600}>{merged.title}</Text>}
          <CodeBlock name="Merged" text={merged.content} />
        </details>
        <Group justify="flex-end">
          <Button
            variant="default"
            onClick={() => {
              onResolve(yours, { keepYours: false });
            }}
          >
            Keep mine
          </Button>
          <Button
            variant="default"
            onClick={() => {
              onResolve(theirs, { keepYours: true });
            }}
          >
            Use theirs
          </Button>
          <Button
            onClick={() => {
              onResolve(merged, { keepYours: prefer === 'theirs' });
            }}
          >
            Save merged
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

/** A side that the person has edited is their decision; with none or both edited, the merge keeps the lines of both. */
function preferenceOf(conflict: Conflict, yours: Texts, theirs: Texts): Preference {
  const yoursEdited = !sameTexts(yours, conflict.yours);
  const theirsEdited = !sameTexts(theirs, conflict.theirs);
  if (yoursEdited === theirsEdited) return 'both';
  return yoursEdited ? 'yours' : 'theirs';
}

interface SideProps {
  name: 'Yours' | 'Theirs';
  texts: Texts;
  hasTitle: boolean;
  /** Lines that both sides have changed. */
  marked: readonly LineRange[];
  onChange: (texts: Texts) => void;
}

function Side({ name, texts, hasTitle, marked, onChange }: SideProps) {
  const id = useId();
  const beginning = useRef(texts.content);
  const newest = useRef(texts);
  newest.current = texts;
  const editor = useRef<EditorHandle>(null);
  const [marks] = useState(() => markedLines(beginning.current, marked));
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className={classes.sideTitle}>
        {name}
      </h3>
      {hasTitle && (
        <TextInput
          label="Title"
          mb="xs"
          value={texts.title}
          onChange={({ currentTarget }) => {
            onChange({ ...newest.current, title: currentTarget.value });
          }}
        />
      )}
      <ContentEditor
        ref={editor}
        size="compact"
        // The difference may be in an address, which the finished text hides.
        view="plain"
        initialText={beginning.current}
        marks={marks}
        onChange={(content) => {
          onChange({ ...newest.current, content });
        }}
      />
    </section>
  );
}

/** The lines as ranges of the editor. */
function markedLines(content: string, lines: readonly LineRange[]): MarkedRange[] {
  const starts = [0];
  for (const line of withPlainLineBreaks(content).split('\n')) {
    starts.push((starts.at(-1) ?? 0) + line.length + 1);
  }
  return lines.map(({ from, to }) => ({
    id: String(from),
    from: starts[from] ?? 0,
    to: Math.max(0, (starts[to] ?? 0) - 1),
    look: 'overlap',
  }));
}
