package io.volume4j.core.control;

import io.volume4j.core.control.attach.AttachOptions;
import io.volume4j.core.control.attach.ExternalAttacherAgent;
import io.volume4j.core.plugins.PluginRegistry;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Builds an {@link ExternalAttacher}. A cluster (source and writer) and a registry with the driver's plugin are
 * required. Everything else has a default. Not thread-safe.
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

    /** The registry with the driver's plugin. Required. */
    public ExternalAttacherBuilder plugins(PluginRegistry value) {
        plugins = given("plugins", value);
        return this;
    }

    /**
     * Takes over the VolumeAttachments that an {@link AttachDetachController} executed itself. For hosts that have
     * replaced that controller by this attacher and Kubernetes' attach-detach controller. Off by default: the
     * attacher then ignores such VolumeAttachments. The host must make sure that the replaced controller no longer
     * runs. Otherwise both would claim the same VolumeAttachments.
     *
     * @since 0.1.0
     */
    public ExternalAttacherBuilder takesOver() {
        options = options.withTakesOver(true);
        return this;
    }

    /**
     * Builds the attacher. It does nothing before {@link ExternalAttacher#start()}.
     * @throws IllegalStateException if a required part is missing
     */
    public ExternalAttacher build() {
        ControllerSettings settings = settings(plugins, "plugins(…)");
        AgentThreads threads = AgentThreads.start("attacher", settings);
        return new AttacherProcess(
                threads.build(ports ->
                        new ExternalAttacherAgent(driver, ports, settings.attachOptions(options), settings.listener())),
                threads,
                settings.limits());
    }

    @Override
    ExternalAttacherBuilder self() {
        return this;
    }
}
