package io.volume4j.core.control.expand;

import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ResizeStatus;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The next size of a volume. A call that may have had an effect is never forgotten because of another size. */
final class ExpandTarget {
    private ExpandTarget() {}

    /**
     * The size; empty while the nodes must act.
     *
     * @param wanted the claim's request
     * @param size the size in the volume's object
     * @param allocated the size of the current attempt, null for none
     * @param lastFailureFinal whether the last call with {@code allocated} failed permanently, so that nothing is in doubt
     * @param controlPlane whether the backend expands the volume, and not only its nodes
     */
    static Optional<Quantity> of(
            Quantity wanted,
            Quantity size,
            @Nullable Quantity allocated,
            ResizeStatus status,
            boolean lastFailureFinal,
            boolean controlPlane) {
        Quantity begun = allocated == null ? wanted : allocated;
        if (size.compareTo(wanted) < 0) {
            return switch (status) {
                case NODE_INFEASIBLE -> Optional.of(begun);
                case NODE_PENDING, NODE_IN_PROGRESS ->
                    size.compareTo(begun) >= 0 ? Optional.empty() : Optional.of(begun);
                case CONTROLLER_IN_PROGRESS -> Optional.of(lastFailureFinal ? wanted : begun);
                case NONE, CONTROLLER_INFEASIBLE, OTHER -> Optional.of(wanted);
            };
        }
        return switch (status) {
            case NODE_PENDING, NODE_IN_PROGRESS -> Optional.empty();
            case NODE_INFEASIBLE -> Optional.of(controlPlane ? begun : wanted);
            case CONTROLLER_IN_PROGRESS, CONTROLLER_INFEASIBLE, NONE, OTHER -> Optional.of(begun);
        };
    }
}
