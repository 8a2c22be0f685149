package io.volume4j.core.report;

import io.volume4j.spi.VolumeException;
import org.jspecify.annotations.Nullable;

/** Checks the results of plugins, because a plugin may return null against its contract. */
public final class PluginAnswer {
    private PluginAnswer() {}

    /**
     * The result. A missing result is an error of the plugin, and the effect of the call is unknown.
     *
     * @param from the called object: the plugin, or its part for such calls
     * @param call the method
     * @throws VolumeException uncertain, if the result is null
     */
    public static <T> T of(@Nullable T result, String plugin, Object from, String call) {
        if (result == null) {
            throw VolumeException.uncertain("plugin " + plugin + " returned null from " + call
                            + ", so that it is not known what the call did")
                    .withAdvice("correct the plugin, " + from.getClass().getName()
                            + ": it must return a result, or throw a VolumeException");
        }
        return result;
    }
}
