package io.volume4j.examples.agent;

import io.volume4j.examples.commandline.Usage;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.ui.LiveView;
import io.volume4j.ui.LiveViewBuilder;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Whether, where and how the live view is served. */
final class LiveOptions {
    @Option(
            names = "--ui",
            paramLabel = "127.0.0.1:PORT",
            converter = Words.Address.class,
            description = "serve a live view there, and print its link with a token; only this machine's loopback")
    private @Nullable InetSocketAddress address;

    @Option(names = "--ui-actions", description = "let operators act in the live view, with a token of their own")
    private boolean actions;

    @Option(
            names = "--ui-remote",
            description = "let the live view listen at an address that other machines reach; it does not encrypt")
    private boolean remote;

    /** The view, which does not listen yet; empty if none is asked for. */
    Optional<LiveView> view(String title, ClusterSource cluster) {
        if (address == null) {
            return Optional.empty();
        }
        LiveViewBuilder builder =
                LiveView.builder().title(title).address(address).cluster(cluster);
        if (actions) {
            builder.actions();
        }
        if (remote) {
            builder.allowRemote();
        }
        try {
            return Optional.of(builder.build());
        } catch (IllegalStateException refused) {
            throw new Usage("--ui: " + refused.getMessage() + " (--ui-remote)");
        }
    }

    /** What the person who started it is told, once. */
    String links(LiveView view) {
        return "live view: " + view.link()
                + (actions ? System.lineSeparator() + "operator token: " + view.operatorToken() : "");
    }
}
