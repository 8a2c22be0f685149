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
 * Plugins from the class path or module path.
 *
 * @param problems the providers that failed; they do not affect the others
 */
record DiscoveredPlugins(List<VolumePlugin> plugins, List<PluginProblem> problems) {
    /** A loader may fail forever at one broken entry, so the number of tries is limited. */
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
                // An error, for example for a class that was compiled for a later Java, or whose superclass is
                // missing.
                problems.add(new PluginProblem("ServiceLoader", MessageText.reason(e)));
            }
        }
        return new DiscoveredPlugins(plugins, problems);
    }
}
