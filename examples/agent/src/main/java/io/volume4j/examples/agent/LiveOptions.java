package io.volume4j.examples.agent;

import io.volume4j.examples.commandline.TextFile;
import io.volume4j.examples.commandline.Usage;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.ui.LiveView;
import io.volume4j.ui.LiveViewBuilder;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of the live view. */
final class LiveOptions {
    @Option(
            names = "--ui",
            paramLabel = "127.0.0.1:PORT",
            converter = Words.Address.class,
            description = "serve a live view there, and print its link with a token; only this machine's loopback")
    private @Nullable InetSocketAddress address;

    @Option(names = "--ui-actions", description = "permit actions of operators in the live view, with a separate token")
    private boolean actions;

    @Option(
            names = "--ui-remote",
            description =
                    "permit the live view to listen at an address that other machines can reach; it does not encrypt")
    private boolean remote;

    @Option(
            names = "--ui-token-file",
            paramLabel = "FILE",
            description = "a file with the token of viewers, instead of a new one at each start; for joined views")
    private @Nullable Path tokenFile;

    @Option(
            names = "--ui-join",
            paramLabel = "NAME=URL",
            description = "also show the live view at http://HOST:PORT, with this name; its viewers' token is that of"
                    + " --ui-token-file")
    private Map<String, String> joined = new LinkedHashMap<>();

    /** The view, which does not listen yet; empty without the option. */
    Optional<LiveView> view(String title, ClusterSource cluster) {
        if (address == null) {
            if (actions || remote || tokenFile != null || !joined.isEmpty()) {
                throw new Usage("--ui-actions, --ui-remote, --ui-token-file and --ui-join need --ui");
            }
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
        join(builder);
        try {
            return Optional.of(builder.build());
        } catch (IllegalStateException refused) {
            throw new Usage("--ui: " + refused.getMessage() + " (--ui-remote)");
        }
    }

    private void join(LiveViewBuilder builder) {
        if (tokenFile == null) {
            if (!joined.isEmpty()) {
                throw new Usage("--ui-join needs --ui-token-file: all views that are joined have one token");
            }
            return;
        }
        String token = TextFile.read("--ui-token-file", tokenFile).strip();
        try {
            builder.viewerToken(token);
            joined.forEach((name, view) -> builder.join(name, URI.create(view), token));
        } catch (IllegalArgumentException refused) {
            throw new Usage("--ui-join or --ui-token-file: " + refused.getMessage());
        }
    }

    /** The links that the program prints once, for the user who started it. */
    String links(LiveView view) {
        return "live view: " + view.link()
                + (actions ? System.lineSeparator() + "operator token: " + view.operatorToken() : "");
    }
}
