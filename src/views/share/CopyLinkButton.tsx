import { Link2 } from 'lucide-react';
import { lazy } from 'react';
import { showCopyLink, useCopyLink } from '#store/session/dialogs.ts';
import { activeFile, announce, useSession } from '#store/session/session.ts';
import { IconButton } from '#ui/Button.tsx';
import { LazyPart } from '#ui/LazyPart.tsx';

// Fetched when it is first opened: the QR code and all about links are not needed before.
const CopyLinkDialog = lazy(async () => ({
  default: (await import('./CopyLinkDialog.tsx')).CopyLinkDialog,
}));

/** Leads to the links to what is shown; nothing while no file is shown. */
export function CopyLinkButton() {
  const file = useSession(activeFile);
  const isOpen = useCopyLink((state) => state.isOpen);
  if (file?.status.step !== 'ready') return null;
  return (
    <>
      <IconButton label="Copy link" icon={Link2} onClick={() => showCopyLink(true)} />
      <LazyPart isOpen={isOpen} onError={failed}>
        <CopyLinkDialog file={file} isOpen={isOpen} onClose={() => showCopyLink(false)} />
      </LazyPart>
    </>
  );
}

function failed(): void {
  showCopyLink(false);
  announce("Couldn't load the link dialog");
}
