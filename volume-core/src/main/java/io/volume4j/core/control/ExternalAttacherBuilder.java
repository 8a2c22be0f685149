package io.volume4j.core.control;

import io.volume4j.core.control.attach.AttachOptions;
import io.volume4j.core.control.attach.ExternalAttacherAgent;
import io.volume4j.core.plugins.PluginRegistry;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What an {@link ExternalAttacher} is made of. Needed are a cluster to read and to write, and a registry with the driver's
 * plugin; everything else has a default. Not thread-safe.
 *
 * @since 0.1.0
 */
public final class ExternalAttacherBuilder extends ControllerBuilder<ExternalAttacherBuilder> {
    private final String driver;
    private @Nullable PluginRegistry plugins;
    private AttachOptions options = AttachOptions.standard();

    ExternalAttacherBuilder(String driver) {
        super("an external attacher", Duration.ofMinutes(2));
        this.driver = Objects.requireNonNull(driver, "driver");
    }

    /** Where the driver's plugin is. Needed. */
    public ExternalAttacherBuilder plugins(PluginRegistry value) {
        plugins = given("plugins", value);
        return this;
    }

    /**
     * Takes over the VolumeAttachments that an {@link AttachDetachController} carried out itself, in whose place this attacher and
     * Kubernetes' attach-detach controller were put. Off by default: an attacher leaves them alone. The host must make sure that no such
     * controller runs any more; each would take from the other what it carries out.
     *
     * @since 0.1.0
     */
    public ExternalAttacherBuilder takesOver() {
        options = options.withTakesOver(true);
        return this;
    }

    /**
     * Makes the attacher, which does nothing before {@link ExternalAttacher#start()}.
     *
     * @throws IllegalStateException if something needed is missing
     */
    public ExternalAttacher build() {
        ControllerSettings settings = settings(plugins, "plugins(…)");
        AgentThreads threads = AgentThreads.start("attacher", settings);
        return new AttacherProcess(
                new ExternalAttacherAgent(
                        driver, threads.ports(), settings.attachOptions(options), settings.listener()),
                threads,
                settings.limits());
    }

    @Override
    ExternalAttacherBuilder self() {
        return this;
    }
}
