package io.volume4j.core.control.binding.plan;

import io.volume4j.core.control.host.lead.Self;
import io.volume4j.spi.model.PersistentVolume;
import java.util.Optional;

/**
 * The durable record that a volume's storage may be being deleted or emptied, an annotation of the volume. Written against
 * the revision of the volume that the decision was taken from, so that a stale cache destroys nothing.
 *
 * @param action what is done
 * @param epoch of the leader that does it; another leader writes its own before it goes on
 * @param by the process that does it
 */
public record ReclaimIntent(Action action, long epoch, String by) {
    private static final String VERSION = "1";

    /** What may be being done to the storage. */
    public enum Action {
        DELETE("delete"),
        RECYCLE("recycle");

        private final String word;

        Action(String word) {
            this.word = word;
        }
    }

    /** Version, action, epoch and process, separated by blanks. */
    String text() {
        return String.join(" ", VERSION, action.word, Long.toString(epoch), by);
    }

    /** Whether the volume's storage may be being deleted or emptied, or this may have been done, by any leader. */
    static boolean open(PersistentVolume volume) {
        return !volume.metadata().annotation(Annotation.RECLAIM_INTENT).isEmpty();
    }

    /** Whether it may be being deleted, or be gone already. Of an intent that cannot be read the worst is believed. */
    static boolean deletes(PersistentVolume volume) {
        return open(volume)
                && of(volume)
                        .filter(intent -> intent.action() == Action.RECYCLE)
                        .isEmpty();
    }

    /** The intent that the volume carries; empty for none, and for one that cannot be read, which is then written anew. */
    public static Optional<ReclaimIntent> of(PersistentVolume volume) {
        String text = volume.metadata().annotation(Annotation.RECLAIM_INTENT);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        String[] parts = text.split(" ", -1);
        if (parts.length != 4 || !parts[0].equals(VERSION) || !parts[2].matches("[0-9]{1,18}")) {
            return Optional.empty();
        }
        for (Action action : Action.values()) {
            if (action.word.equals(parts[1])) {
                return Optional.of(new ReclaimIntent(action, Long.parseLong(parts[2]), parts[3]));
            }
        }
        return Optional.empty();
    }

    /** Whether that process wrote the intent in its present term. */
    boolean isOf(Self self) {
        return epoch == self.epoch() && by.equals(self.process());
    }
}
