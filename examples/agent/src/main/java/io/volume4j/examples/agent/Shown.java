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
 * @param life the number of the node's life, from 1
 */
record Shown(@Nullable LiveView view, int life) {
    Shown(@Nullable LiveView view) {
        this(view, 1);
    }

    static Shown nowhere() {
        return new Shown(null);
    }

    VolumeManager node(String name, VolumeManagerBuilder builder) {
        if (view == null) {
            return builder.build();
        }
        LiveSource source = view.source(life == 1 ? name : name + " (life " + life + ")");
        VolumeManager volumes = builder.instrumentation(source).build();
        source.watch(volumes);
        return volumes;
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
