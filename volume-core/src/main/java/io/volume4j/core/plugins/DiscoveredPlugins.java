package io.volume4j.core.plugins;

import io.volume4j.core.plugins.common.MessageText;
import io.volume4j.spi.plugin.VolumePlugin;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/**
 * Plugins that were found on the class or module path.
 *
 * @param problems providers that could not be made; the others are there all the same
 */
record DiscoveredPlugins(List<VolumePlugin> plugins, List<PluginProblem> problems) {
    /** A loader may go on failing for ever at one broken entry, so its patience is bounded. */
    private static final int MOST_PROBLEMS = 100;

    DiscoveredPlugins {
        plugins = Collections.unmodifiableList(plugins);
        problems = Collections.unmodifiableList(problems);
    }

    static DiscoveredPlugins through(ClassLoader loader) {
        return of(ServiceLoader.load(VolumePlugin.class, loader).iterator());
    }

    static DiscoveredPlugins of(Iterator<VolumePlugin> providers) {
        List<VolumePlugin> plugins = new ArrayList<>();
        List<PluginProblem> problems = new ArrayList<>();
        boolean more = true;
        while (more && problems.size() < MOST_PROBLEMS) {
            try {
                more = providers.hasNext();
                if (more) {
                    plugins.add(providers.next());
                }
            } catch (ServiceConfigurationError | LinkageError e) {
                // The latter is how a class comes that was made for a later Java, or that extends what is not there.
                problems.add(new PluginProblem("ServiceLoader", MessageText.reason(e)));
            }
        }
        return new DiscoveredPlugins(plugins, problems);
    }
}
