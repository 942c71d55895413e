import classes from './paste.module.css';
import type { Transfer } from './transfers.js';

/** Returns an element that shows the state of a transfer, with its buttons. */
export function transferCard(transfer: Transfer): HTMLElement {
  const status = document.createElement('span');
  const buttons = document.createElement('span');
  const card = document.createElement('div');
  card.className = classes['card'] ?? '';
  card.dataset['transfer'] = '';
  card.append(status, buttons);
  const render = () => {
    const { state, fileName } = transfer;
    const isFailed = state.kind === 'failed';
    card.toggleAttribute('data-failed', isFailed);
    status.setAttribute('role', isFailed ? 'alert' : 'status');
    status.textContent = isFailed ? `${fileName} wasn't added. ${state.reason}` : state.label;
    const cancel = button(isFailed ? 'Dismiss' : 'Cancel', () => {
      transfer.cancel();
    });
    const again = button('Try again', () => {
      void transfer.run();
      transfer.view.focus();
    });
    buttons.replaceChildren(...(isFailed ? [again, cancel] : [cancel]));
  };
  render();
  // An element that was removed is collected together with its transfer.
  transfer.subscribe(render);
  return card;
}

function button(name: string, onClick: () => void): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.textContent = name;
  made.addEventListener('click', onClick);
  return made;
}
