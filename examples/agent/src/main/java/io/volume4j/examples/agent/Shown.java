package io.volume4j.examples.agent;

import io.volume4j.core.VolumeManager;
import io.volume4j.core.VolumeManagerBuilder;
import io.volume4j.core.control.Controller;
import io.volume4j.core.control.ControllerBuilder;
import io.volume4j.ui.LiveSource;
import io.volume4j.ui.LiveView;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Shows the built objects in a live view.
 *
 * @param view null to show nothing
 */
record Shown(@Nullable LiveView view) {
    static Shown nowhere() {
        return new Shown(null);
    }

    /**
     * A node, maybe in the view.
     *
     * @param hide removes it from the view; idempotent
     */
    record Node(VolumeManager volumes, Runnable hide) {}

    /** A later life of the node may have the same name after {@link Node#hide}. */
    Node node(String name, VolumeManagerBuilder builder) {
        LiveView live = view;
        if (live == null) {
            return new Node(builder.build(), () -> {});
        }
        LiveSource source = live.source(name);
        try {
            VolumeManager volumes = builder.instrumentation(source).build();
            source.watch(volumes);
            return new Node(volumes, () -> live.remove(source));
        } catch (RuntimeException | Error failed) {
            live.remove(source);
            throw failed;
        }
    }

    <B extends ControllerBuilder<B>, C extends Controller> C controller(String name, B builder, Function<B, C> build) {
        if (view == null) {
            return build.apply(builder);
        }
        LiveSource source = view.source(name);
        C controller = build.apply(builder.instrumentation(source));
        source.watch(controller);
        return controller;
    }
}
