package io.volume4j.csi.driver;

import io.volume4j.csi.CsiEndpoint;
import io.volume4j.csi.driver.options.Bytes;
import io.volume4j.csi.driver.options.DriverOptions;
import io.volume4j.csi.driver.options.MountStyle;
import io.volume4j.csi.driver.options.Pool;
import io.volume4j.csi.driver.options.Quirk;
import io.volume4j.csi.driver.options.Switches;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the command line of the driver says.
 *
 * @param options null when only the usage is wanted
 * @param faults rules as text
 * @param control where the control socket is to be, null for none
 * @param logCalls whether each call is printed
 */
record DriverArguments(
        @Nullable DriverOptions options,
        String faults,
        @Nullable Path control,
        boolean logCalls) {
    static final String USAGE = """
            usage: java -jar csi-driver.jar --endpoint unix:///run/test/csi.sock [OPTION VALUE]...

            A CSI 1.13 driver for tests. It conforms until it is told otherwise, keeps volumes in directories and
            sparse files, and shows them by bind mounts where it may, by symbolic links where not.

            where and who
              --endpoint unix:///PATH       the socket of this node (or in the environment as CSI_ENDPOINT)
              --state-dir DIR               what survives a crash; a temporary directory without it
              --registration-dir DIR        make the driver known there, as node agents expect it
              --control unix:///PATH        a socket that takes commands; try: echo help | nc -U PATH
              --name NAME --version VERSION --node-id ID
              --node ID[=unix:///PATH]      another node; without a path it is known and says nothing
              --place NODE:KEY=VALUE,...    where a node is; by default where the first pool is
              --mounts auto|kernel|binds|links
              --keep-mounts                 leave them when the driver ends
              --log-calls                   print every call, without its contents

            what it can do (all capabilities by default, expansion online)
              --csi-1.12                    as a driver of CSI 1.12: conditions of volumes in place of the calls for
                                            health
              --minimal                     only publish mounted volumes on the node
              --with NAME, --without NAME   one of these, each of which stands for several in the schema:
            %s
                                            or one as in the schema: node.STAGE_UNSTAGE_VOLUME, expansion.OFFLINE,
                                            or a number without a name: controller.4711

            what it has
              --pool [KEY=VALUE,...:]SIZE   a stock of capacity in a place; may be repeated (100Gi in zone a)
              --min-size SIZE --max-size SIZE --rounding SIZE
              --attach-limit N              volumes that a node can have
              --reported-attach-limit N     what it says of that
              --snapshot-limit N --snapshot-polls N (asked so often before ready) --page-size N
              --not-ready N                 so many probes answer that it is not ready
              --secret KEY=VALUE            every call must carry it
              --mutable KEY,...             what CreateVolume and ControllerModifyVolume take as mutable; anything without it
              --volume ID:SIZE              a volume that is there from the beginning

            what goes wrong
              --fault 'RULE'                RPC [volume=PATTERN] [node=PATTERN] [call=N|N-M|N-] POINT ACTION
                                            POINT: before, during, after (the work)
                                            ACTION: a gRPC code [message], delay=2s, late, hang, reset, half-close,
                                            oversize=8Mi, drip=5ms, crash, crash-losing-state
              --faults FILE                 rules, one a line
              --quirk NAME                  a deviation that drivers in the field show:
            %s

              --help
            """.formatted(
                    wrapped(new ArrayList<>(Switches.groups().keySet())),
                    wrapped(Arrays.stream(Quirk.values()).map(Quirk::label).toList()));

    static DriverArguments parse(String[] words, Map<String, String> environment) {
        return new Parser(words, environment).parse();
    }

    private static String wrapped(List<String> words) {
        StringBuilder text = new StringBuilder();
        int width = 0;
        for (String word : words) {
            boolean first = width == 0;
            if (width + word.length() > 68) {
                text.append('\n');
                width = 0;
            }
            text.append(width == 0 ? " ".repeat(32) : " ").append(word);
            width += word.length() + (first ? 0 : 1);
        }
        return text.toString();
    }

    private static final class Parser {
        private final List<String> words;
        private final Map<String, Consumer<String>> readers = new LinkedHashMap<>();
        private final List<Pool> pools = new ArrayList<>();
        private final StringBuilder faults = new StringBuilder();
        private final DriverOptions.Builder options;
        private @Nullable Path control;
        private boolean logCalls;

        Parser(String[] arguments, Map<String, String> environment) {
            words = new ArrayList<>(Arrays.asList(arguments));
            options = DriverOptions.at(endpoint(words, environment));
        }

        /** The endpoint comes first: everything else is said of it. */
        private static Path endpoint(List<String> words, Map<String, String> environment) {
            if (words.contains("--help") || words.contains("-h")) {
                return Path.of("/");
            }
            int at = words.indexOf("--endpoint");
            String text = at >= 0 && at + 1 < words.size() ? words.get(at + 1) : environment.get("CSI_ENDPOINT");
            if (text == null) {
                throw new IllegalArgumentException("--endpoint unix:///PATH is needed; --help tells more");
            }
            if (at >= 0) {
                words.subList(at, at + 2).clear();
            }
            return CsiEndpoint.parse(text).socket();
        }

        DriverArguments parse() {
            if (words.contains("--help") || words.contains("-h")) {
                return new DriverArguments(null, "", null, false);
            }
            who();
            stock();
            trouble();
            for (int i = 0; i < words.size(); i++) {
                String word = words.get(i);
                switch (word) {
                    case "--keep-mounts" -> options.keepMounts(true);
                    case "--log-calls" -> logCalls = true;
                    case "--csi-1.12" -> options.of112();
                    case "--minimal" -> options.switches(Switches.none());
                    default -> read(word, ++i);
                }
            }
            if (!pools.isEmpty()) {
                options.pools(pools);
            }
            return new DriverArguments(options.build(), faults.toString(), control, logCalls);
        }

        private void read(String word, int at) {
            Consumer<String> reader = readers.get(word);
            if (reader == null) {
                throw new IllegalArgumentException("unknown argument " + word + "; --help lists the known ones");
            }
            if (at >= words.size()) {
                throw new IllegalArgumentException(word + " needs a value");
            }
            try {
                reader.accept(words.get(at));
            } catch (IllegalArgumentException wrong) {
                throw new IllegalArgumentException(word + ": " + wrong.getMessage(), wrong);
            }
        }

        private void who() {
            readers.put("--state-dir", value -> options.stateDirectory(Path.of(value)));
            readers.put("--registration-dir", value -> options.registrationDirectory(Path.of(value)));
            readers.put("--control", value -> control = CsiEndpoint.parse(value).socket());
            readers.put("--name", options::name);
            readers.put("--version", options::version);
            readers.put("--node-id", options::nodeId);
            readers.put("--node", this::node);
            readers.put("--place", value -> {
                int colon = value.indexOf(':');
                if (colon < 1) {
                    throw new IllegalArgumentException("expected NODE:KEY=VALUE, not \"" + value + "\"");
                }
                options.place(value.substring(0, colon), value.substring(colon + 1));
            });
            readers.put("--mounts", value -> options.mounts(MountStyle.valueOf(value.toUpperCase(Locale.ROOT))));
            readers.put("--with", options::with);
            readers.put("--without", options::without);
        }

        private void node(String value) {
            int equals = value.indexOf('=');
            if (equals < 0) {
                options.silentNode(value);
            } else {
                options.otherNode(
                        value.substring(0, equals),
                        CsiEndpoint.parse(value.substring(equals + 1)).socket());
            }
        }

        private void stock() {
            readers.put("--pool", value -> pools.add(Pool.parse(value)));
            readers.put("--min-size", value -> options.minimumSize(Bytes.parse(value)));
            readers.put("--max-size", value -> options.maximumSize(Bytes.parse(value)));
            readers.put("--rounding", value -> options.rounding(Bytes.parse(value)));
            readers.put("--attach-limit", value -> options.attachLimit(number(value)));
            readers.put("--reported-attach-limit", value -> options.reportedAttachLimit(number(value)));
            readers.put("--snapshot-limit", value -> options.snapshotLimit(number(value)));
            readers.put("--snapshot-polls", value -> options.snapshotPolls(number(value)));
            readers.put("--page-size", value -> options.pageSize(number(value)));
            readers.put("--not-ready", value -> options.probesUntilReady(number(value)));
            readers.put("--secret", value -> {
                int equals = value.indexOf('=');
                if (equals < 1) {
                    throw new IllegalArgumentException("expected KEY=VALUE");
                }
                options.secret(value.substring(0, equals), value.substring(equals + 1));
            });
            readers.put("--mutable", value -> options.mutableKeys(new TreeSet<>(Arrays.asList(value.split(",", -1)))));
            readers.put("--volume", value -> {
                int colon = value.lastIndexOf(':');
                if (colon < 1) {
                    throw new IllegalArgumentException("expected ID:SIZE, not \"" + value + "\"");
                }
                options.presetVolume(value.substring(0, colon), Bytes.parse(value.substring(colon + 1)));
            });
        }

        private void trouble() {
            readers.put("--fault", value -> faults.append(value).append('\n'));
            readers.put("--faults", value -> {
                try {
                    faults.append(Files.readString(Path.of(value))).append('\n');
                } catch (IOException e) {
                    throw new IllegalArgumentException("cannot read " + e.getMessage(), e);
                }
            });
            readers.put("--quirk", value -> options.quirk(Quirk.parse(value)));
        }

        private static int number(String text) {
            try {
                return Integer.parseInt(text);
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("not a number: \"" + text + "\"", e);
            }
        }
    }
}
