package io.volume4j.core.control.binding.plan;

import io.volume4j.core.control.host.lead.Self;
import io.volume4j.spi.model.PersistentVolume;
import java.util.Optional;

/**
 * The durable record that a plugin may be deleting or emptying a volume's storage; an annotation of the volume. Its write requires
 * the revision from the decision, so that a stale cache destroys nothing.
 *
 * @param action what happens to the storage
 * @param epoch of the leader that does it; another leader writes its own epoch before it continues
 * @param by the process that does it
 */
public record ReclaimIntent(Action action, long epoch, String by) {
    private static final String VERSION = "1";

    /** The operation on the storage. */
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

    /** Whether any leader may be deleting or emptying the volume's storage, or may have done so. */
    static boolean open(PersistentVolume volume) {
        return !volume.metadata().annotation(Annotation.RECLAIM_INTENT).isEmpty();
    }

    /** Whether it may be being deleted, or be gone already. Also true for an intent that is not readable. */
    static boolean deletes(PersistentVolume volume) {
        return open(volume)
                && of(volume)
                        .filter(intent -> intent.action() == Action.RECYCLE)
                        .isEmpty();
    }

    /** The intent of the volume; empty for none, and for an intent that is not readable, which is then written again. */
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

    /** Whether that process wrote the intent in its current term. */
    boolean isOf(Self self) {
        return epoch == self.epoch() && by.equals(self.process());
    }
}
