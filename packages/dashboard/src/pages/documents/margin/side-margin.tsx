import { Stack } from '@mantine/core';
import { useSearchState } from '../../../search-state.js';
import type { Document } from '../document-types.js';
import type { DocumentSession, SessionView } from '../editor/document-session.js';
import { Panel, useRoomBeside } from '../panel.js';
import { Margin } from './margin.js';
import { SuggestionsBar } from './suggestions-bar.js';
import { useSuggestions } from './use-suggestions.js';

interface SideMarginProps {
  document: Document;
  session: DocumentSession;
  view: SessionView;
}

/** The margin: suggestions if they are open, and always conflicts if there is space. */
export default function SideMargin(props: SideMarginProps) {
  const [{ panel }] = useSearchState();
  const isBeside = useRoomBeside();
  if (panel === 'suggestions') return <WithSuggestions {...props} isBeside={isBeside} />;
  if (isBeside && panel === undefined) {
    return (
      <aside aria-label="Conflicts">
        <Margin {...props} isBeside />
      </aside>
    );
  }
  if (panel !== 'conflicts') return null;
  return (
    <Panel title="Conflicts">
      <Margin {...props} isBeside={false} />
    </Panel>
  );
}

function WithSuggestions(props: SideMarginProps & { isBeside: boolean }) {
  const { document, session } = props;
  const suggestions = useSuggestions(document.id, session);
  return (
    <Panel title="Suggestions" isLong={props.isBeside}>
      <Stack gap="sm">
        <SuggestionsBar session={session} suggestions={suggestions} />
        <Margin {...props} suggestions={suggestions} />
      </Stack>
    </Panel>
  );
}
