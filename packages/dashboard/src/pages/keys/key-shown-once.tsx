import { Group, Tabs } from '@mantine/core';
import { CodeBlock } from '../../components/code-block.js';
import { CopyButton } from '../../components/copy-button.js';
import type { CloseDialog } from '../../components/dialog.js';
import { ShownOnce } from '../../components/shown-once.js';
import { keySnippets, type KeySnippet } from './key-snippets.js';

interface KeyShownOnceProps {
  title: 'Key created' | 'Key rotated';
  /** The secret key. */
  value: string;
  scopes: readonly string[];
  onClose: CloseDialog;
}

/** A new key, with a first request that runs unchanged. Copying either one counts as saving the key. */
export function KeyShownOnce({ title, value, scopes, onClose }: KeyShownOnceProps) {
  const snippets = keySnippets(value, scopes);
  const [curl] = snippets;
  return (
    <ShownOnce title={title} label="API key" value={value} copy="Copy key" onClose={onClose}>
      {(onCopied) => (
        <>
          <Snippets snippets={snippets} onCopied={onCopied} />
          {curl && (
            <Group>
              <CopyButton name="Copy curl" text={curl.code} onCopied={onCopied} />
            </Group>
          )}
        </>
      )}
    </ShownOnce>
  );
}

function Snippets({
  snippets,
  onCopied,
}: {
  snippets: readonly KeySnippet[];
  onCopied: () => void;
}) {
  return (
    <Tabs defaultValue="curl">
      <Tabs.List aria-label="A first request" mb="sm">
        {snippets.map(({ language }) => (
          <Tabs.Tab key={language} value={language}>
            {language}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {snippets.map(({ language, code }) => (
        <Tabs.Panel key={language} value={language}>
          <CodeBlock name={`A first request, ${language}`} text={code} />
          {language !== 'curl' && (
            <Group mt="xs">
              <CopyButton name={`Copy ${language}`} text={code} onCopied={onCopied} />
            </Group>
          )}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
