package io.volume4j.examples.agent;

import io.volume4j.core.explain.Health;
import io.volume4j.csi.CsiEndpoint;
import io.volume4j.csi.CsiNodes.CsiNode;
import io.volume4j.csi.CsiPlugin;
import io.volume4j.csi.CsiRegistrarListener;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The health checks of this process: whether it works, and whether its CSI drivers do, from the registrar's last report.
 * Thread-safe.
 */
final class Checks {
    private final List<Supplier<Health>> parts = new CopyOnWriteArrayList<>();
    private final Map<String, Answer> drivers = new ConcurrentHashMap<>();

    /** @param text for users, in lines */
    record Answer(boolean well, String text) {}

    /** Adds a part of the process that has started. */
    void of(Supplier<Health> part) {
        parts.add(part);
    }

    /** Removes a part that has ended, while the process continues. */
    void ended(Supplier<Health> part) {
        parts.remove(part);
    }

    /** If not well, the process must be restarted. */
    Answer live() {
        return all(Health::live);
    }

    /** Not well before the first part has started. */
    Answer ready() {
        return parts.isEmpty() ? new Answer(false, "the process has not started its work yet") : all(Health::ready);
    }

    private Answer all(Function<Health, Boolean> asked) {
        List<Health> answers = parts.stream().map(Supplier::get).toList();
        return new Answer(
                answers.stream().allMatch(asked::apply),
                String.join("\n", answers.stream().map(Health::text).toList()));
    }

    /** A driver without a report is not well: it has not registered, or has left. */
    Answer driver(String name) {
        return drivers.getOrDefault(name, new Answer(false, "no CSI driver " + name + " is registered here"));
    }

    /** A listener that updates the checks before it calls the given listener. */
    CsiRegistrarListener before(CsiRegistrarListener next) {
        return new CsiRegistrarListener() {
            @Override
            public void registered(CsiPlugin plugin) {
                next.registered(plugin);
            }

            @Override
            public void unregistered(String driver) {
                drivers.remove(driver);
                next.unregistered(driver);
            }

            @Override
            public void failed(CsiEndpoint socket, String reason) {
                next.failed(socket, reason);
            }

            @Override
            public void nodeChanged(String driver, CsiNode node) {
                next.nodeChanged(driver, node);
            }

            @Override
            public void liveness(String driver, Liveness liveness, String reason) {
                String text = liveness + (reason.isEmpty() ? "" : ": " + reason);
                drivers.put(driver, new Answer(liveness == Liveness.READY, text));
                next.liveness(driver, liveness, reason);
            }
        };
    }
}
