import type { Document } from '../document-types.js';
import type { DocumentSession, SessionView } from '../editor/document-session.js';
import { CheckPanel } from '../check/check-panel.js';
import { Panel, usePanel, useRoomBeside } from '../panel.js';
import { Margin } from './margin.js';

interface SideMarginProps {
  document: Document;
  session: DocumentSession;
  view: SessionView;
}

/** The margin: the check if it is open, and always conflicts if there is space. */
export default function SideMargin(props: SideMarginProps) {
  const [panel] = usePanel();
  const isBeside = useRoomBeside();
  if (panel === 'check')
    return <CheckPanel key={props.document.id} {...props} isBeside={isBeside} />;
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
