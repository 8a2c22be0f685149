package io.volume4j.core.worlds;

/**
 * How many calls to plugins may run at the same time. A plugin's own limit ({@code maxConcurrentCalls}) also applies.
 *
 * @param running running calls to all plugins together; 64 by default
 * @param writtenOffPerPlugin calls to one plugin that missed their deadline and have not returned. With that many the
 *     plugin gets no further calls; 128 by default
 * @param writtenOff the same for all plugins together, at least the limit for one; 512 by default
 * @since 0.1.0
 */
public record OperationLimits(int running, int writtenOffPerPlugin, int writtenOff) {
    /**
     * @throws IllegalArgumentException if a limit is not positive, or if the limit for all plugins is below the limit
     *     for one
     */
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
