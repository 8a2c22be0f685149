package io.volume4j.core.control.modify;

import io.volume4j.spi.model.PersistentVolumeClaim;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a change of a volume's attributes: {@code status.modifyVolumeStatus} of its claim.
 *
 * @param target the class of the change, {@code ""} for none
 */
record ModifyStatus(State state, String target) {
    enum State {
        NONE(""),
        PENDING("Pending"),
        IN_PROGRESS("InProgress"),
        INFEASIBLE("Infeasible");

        private final String word;

        State(String word) {
            this.word = word;
        }

        String word() {
            return word;
        }
    }

    static ModifyStatus of(PersistentVolumeClaim claim) {
        @Nullable Object status = claim.unmodeled().document().get("status");
        @Nullable Object found = status instanceof Map<?, ?> fields ? fields.get("modifyVolumeStatus") : null;
        if (!(found instanceof Map<?, ?> fields)) {
            return new ModifyStatus(State.NONE, "");
        }
        @Nullable Object target = fields.get("targetVolumeAttributesClassName");
        String name = target == null ? "" : target.toString();
        String word = String.valueOf(fields.get("status"));
        for (State state : State.values()) {
            if (state.word.equals(word)) {
                return new ModifyStatus(state, name);
            }
        }
        // An unknown value may mean that a controller began the change, so it is safe to assume that.
        return new ModifyStatus(State.IN_PROGRESS, name);
    }
}
