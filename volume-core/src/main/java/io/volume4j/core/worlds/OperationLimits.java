package io.volume4j.core.worlds;

/**
 * How many calls of plugins may run at once. A plugin's own limit ({@code maxConcurrentCalls}) holds beside these.
 *
 * @param running calls of all plugins together; 64 by default
 * @param writtenOffPerPlugin calls of one plugin past their deadline and not returned, after which it gets no more; 128 by
 *     default
 * @param writtenOff the same for all plugins together, not below that of one; 512 by default
 * @since 0.1.0
 */
public record OperationLimits(int running, int writtenOffPerPlugin, int writtenOff) {
    /** @throws IllegalArgumentException if a limit is not positive, or that for all is below that of a plugin */
    public OperationLimits {
        if (running < 1 || writtenOffPerPlugin < 1 || writtenOff < writtenOffPerPlugin) {
            throw new IllegalArgumentException("operation limits must be positive, and writtenOff not below"
                    + " writtenOffPerPlugin: running " + running + ", writtenOffPerPlugin " + writtenOffPerPlugin
                    + ", writtenOff " + writtenOff + ". OperationLimits.standard() has the defaults");
        }
    }

    public static OperationLimits standard() {
        return new OperationLimits(64, 128, 512);
    }
}
