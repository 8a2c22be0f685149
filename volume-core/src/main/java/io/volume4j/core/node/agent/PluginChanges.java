package io.volume4j.core.node.agent;

import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.node.desired.DesiredStateOfWorldPopulator;
import io.volume4j.core.plugins.PluginListener;
import io.volume4j.core.plugins.PluginRegistry;

/** A plugin that came may do what failed for want of it. Hears of it on any thread, and takes it over on the loop. */
final class PluginChanges implements PluginListener {
    private final EventLoop loop;
    private final LoopRequests inbox;
    private final CurrentRun current;
    private final PluginRegistry plugins;
    private final RemountScheduler contents;
    private final DesiredStateOfWorldPopulator pods;

    PluginChanges(
            EventLoop loop,
            LoopRequests inbox,
            CurrentRun current,
            PluginRegistry plugins,
            RemountScheduler contents,
            DesiredStateOfWorldPopulator pods) {
        this.loop = loop;
        this.inbox = inbox;
        this.current = current;
        this.plugins = plugins;
        this.contents = contents;
        this.pods = pods;
    }

    @Override
    public void changed(String pluginName) {
        loop.execute(() -> take(pluginName));
    }

    private void take(String pluginName) {
        if (inbox.closed()) {
            return;
        }
        NodeRun run = current.require();
        if (run.limits() != null) {
            run.limits().pluginChanged(pluginName);
        }
        contents.listenTo(plugins.plugins());
        pods.resolveAll();
        run.engine().forgetAllFailures();
    }
}
