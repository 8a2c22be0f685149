package io.volume4j.csi.internal.proto;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The figures of {@code wire-facts.md} as one line per fact, in the form in which {@link SchemaFacts} states ours. */
record WireFacts(SortedSet<String> csi, SortedSet<String> deleted, SortedSet<String> registration) {

    private static final Pattern OPTION =
            Pattern.compile("\\| google\\.protobuf\\.(\\w+) \\| (\\w+) \\| (\\w+) \\| (\\d+) \\|");
    private static final Pattern RPC = Pattern.compile(
            "\\| (\\w+)( \\(alpha service\\))? \\| (\\w+) \\| (\\w+) \\| (\\w+) \\| (unary|server-stream) \\| (yes)? *\\|");
    private static final Pattern TYPE = Pattern.compile("- (?:enum )?`([\\w.]+)`( !alpha)?: (.*)");
    private static final Pattern RESERVED = Pattern.compile("reserved (\\d+)");
    private static final Pattern VALUE = Pattern.compile("(\\w+)=(\\d+)( !alpha)?");
    private static final Pattern FIELD = Pattern.compile("(\\d+) (\\w+): (.*?)( \\{oneof (\\w+)})?((?: !\\w+)*)");

    static WireFacts read() {
        try (InputStream in = Objects.requireNonNull(WireFacts.class.getResourceAsStream("wire-facts.md"))) {
            return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static WireFacts parse(List<String> lines) {
        WireFacts facts = new WireFacts(new TreeSet<>(), new TreeSet<>(), new TreeSet<>());
        SortedSet<String> into = facts.csi;
        String section = "";
        for (String line : lines) {
            if (line.startsWith("## ")) {
                section = line;
                into = line.startsWith("## Plugin registration")
                        ? facts.registration
                        : line.startsWith("## What 1.12 had") ? facts.deleted : facts.csi;
                continue;
            }
            Matcher option = OPTION.matcher(line);
            Matcher rpc = RPC.matcher(line);
            Matcher type = TYPE.matcher(line);
            if (option.matches()) {
                into.add("option %s.%s: %s = %s"
                        .formatted(option.group(1), option.group(2), option.group(3), option.group(4)));
            } else if (rpc.matches()) {
                into.add("service %s%s".formatted(rpc.group(1), rpc.group(2) == null ? "" : " !alpha"));
                into.add("rpc %s/%s(%s) -> %s%s%s"
                        .formatted(
                                rpc.group(1),
                                rpc.group(3),
                                rpc.group(4),
                                rpc.group(6).equals("unary") ? "" : "stream ",
                                rpc.group(5),
                                rpc.group(7) == null ? "" : " !alpha"));
            } else if (type.matches() && (section.startsWith("## Enums") || line.startsWith("- enum"))) {
                addEnum(into, type.group(1), type.group(3));
            } else if (type.matches()) {
                into.add("message %s%s".formatted(type.group(1), Objects.toString(type.group(2), "")));
                addFields(into, type.group(1), type.group(3));
            }
        }
        return facts;
    }

    private static void addEnum(SortedSet<String> into, String name, String values) {
        into.add("enum " + name);
        for (String each : values.split(", ")) {
            if (addReserved(into, name, each)) {
                continue;
            }
            Matcher value = matching(VALUE, each);
            into.add("value %s.%s = %s%s"
                    .formatted(name, value.group(1), value.group(2), Objects.toString(value.group(3), "")));
        }
    }

    private static void addFields(SortedSet<String> into, String message, String fields) {
        if (fields.equals("(empty)")) {
            return;
        }
        for (String each : fields.split("; ")) {
            if (addReserved(into, message, each)) {
                continue;
            }
            Matcher field = matching(FIELD, each);
            into.add("field %s.%s = %s: %s%s%s"
                    .formatted(
                            message,
                            field.group(2),
                            field.group(1),
                            field.group(3).replaceFirst("^google\\.protobuf\\.", ""),
                            Objects.toString(field.group(4), ""),
                            field.group(6)));
        }
    }

    private static boolean addReserved(SortedSet<String> into, String type, String text) {
        Matcher reserved = RESERVED.matcher(text);
        return reserved.matches() && into.add("reserved %s = %s".formatted(type, reserved.group(1)));
    }

    private static Matcher matching(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("not a fact: " + text);
        }
        return matcher;
    }
}
