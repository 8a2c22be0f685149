package io.volume4j.csi.internal.rules;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.volume4j.csi.internal.proto.CapacityRange;
import io.volume4j.csi.internal.proto.CsiProto;
import io.volume4j.csi.internal.proto.Topology;
import io.volume4j.csi.internal.proto.TopologyRequirement;
import io.volume4j.csi.internal.proto.VolumeCapability;
import io.volume4j.csi.internal.proto.VolumeCapability.AccessTypeCase;
import io.volume4j.csi.internal.proto.VolumeContentSource;
import io.volume4j.csi.internal.proto.VolumeContentSource.TypeCase;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What every driver may expect of a request, whatever it can do: required fields are there, numbers are not negative, and
 * what we or our user chose keeps to the sizes and characters of the specification ("Size Limits", "Secrets
 * Requirements").
 *
 * <p>Ids, tokens and contexts that a driver gave us are handed back as they are, however long: several drivers exceed the
 * limits there, and refusing to say the name of a volume would help nobody.
 */
public final class RequestRules {
    private static final String MOUNT_FLAGS = "mount_flags";
    static final int MAX_STRING_BYTES = 128;
    static final int MAX_MAP_BYTES = 4096;

    /** Strings that we choose, and which the specification bounds. */
    private static final Set<String> CHOSEN_STRINGS = Set.of("name", "fs_type", "volume_mount_group");
    /** Maps that we choose. */
    private static final Set<String> CHOSEN_MAPS = Set.of("parameters", "mutable_params", "secrets");

    private static final Pattern SECRET_KEY = Pattern.compile("[-_.a-zA-Z0-9]+");

    /** The fields of each message that any rule looks at, so that the rest costs nothing. */
    private static final Map<Descriptor, List<FieldDescriptor>> CHECKED = checkedFields();

    private final List<String> complaints = new ArrayList<>();

    private RequestRules() {}

    private static Map<Descriptor, List<FieldDescriptor>> checkedFields() {
        Map<Descriptor, List<FieldDescriptor>> checked = new LinkedHashMap<>();
        Deque<Descriptor> types = new ArrayDeque<>(CsiProto.getDescriptor().getMessageTypes());
        while (!types.isEmpty()) {
            Descriptor type = types.pop();
            types.addAll(type.getNestedTypes());
            checked.put(
                    type,
                    type.getFields().stream().filter(RequestRules::checked).toList());
        }
        return Collections.unmodifiableMap(checked);
    }

    private static boolean checked(FieldDescriptor field) {
        String name = field.getName();
        if (field.isMapField()) {
            return CHOSEN_MAPS.contains(name);
        }
        return switch (field.getJavaType()) {
            case INT, LONG, MESSAGE -> true;
            case STRING ->
                name.endsWith("_path")
                        || CHOSEN_STRINGS.contains(name)
                        || name.equals(MOUNT_FLAGS)
                        || name.endsWith("_ids");
            default -> false;
        };
    }

    /** What is wrong with the request, in the order of its fields; empty if it may be sent. Holds no secret. */
    public static List<String> complaints(Message request) {
        RequestRules rules = new RequestRules();
        rules.check("", request);
        return rules.complaints;
    }

    private void check(String path, Message message) {
        Descriptor type = message.getDescriptorForType();
        for (FieldDescriptor field : RequiredFields.of(type)) {
            if (!RequiredFields.filled(message, field)) {
                complain(path + field.getName(), "is required");
            }
        }
        for (FieldDescriptor field : CHECKED.getOrDefault(type, List.of())) {
            if (field.isRepeated() ? message.getRepeatedFieldCount(field) > 0 : isSet(message, field)) {
                check(path + field.getName(), field, message.getField(field));
            }
        }
        checkWhole(path, message);
    }

    /** A scalar always has a value; its default needs no check. */
    private static boolean isSet(Message message, FieldDescriptor field) {
        return !field.hasPresence() || message.hasField(field);
    }

    private void check(String path, FieldDescriptor field, Object value) {
        if (field.isMapField()) {
            checkMap(path, field, (List<?>) value);
        } else if (field.isRepeated()) {
            int index = 0;
            for (Object each : (List<?>) value) {
                checkValue(path + "[" + index++ + "]", field, each);
            }
            if (field.getName().equals(MOUNT_FLAGS)) {
                checkBytes(
                        path,
                        ((List<?>) value)
                                .stream().mapToInt(flag -> bytes((String) flag)).sum(),
                        MAX_MAP_BYTES);
            }
        } else {
            checkValue(path, field, value);
        }
    }

    private void checkValue(String path, FieldDescriptor field, Object value) {
        switch (field.getJavaType()) {
            case INT, LONG -> {
                if (((Number) value).longValue() < 0) {
                    complain(path, "must not be negative, is " + value);
                }
            }
            case MESSAGE -> check(path + ".", (Message) value);
            case STRING -> checkString(path, field, (String) value);
            default -> {}
        }
    }

    private void checkString(String path, FieldDescriptor field, String value) {
        if (field.getName().endsWith("_path")) {
            if ((!value.isEmpty() && !value.startsWith("/")) || value.indexOf('\0') >= 0) {
                complain(path, "must be an absolute path");
            }
        } else if (CHOSEN_STRINGS.contains(field.getName())) {
            checkBytes(path, bytes(value), MAX_STRING_BYTES);
            if (value.chars().anyMatch(RequestRules::banned)) {
                complain(path, "holds a control character");
            }
        } else if (field.isRepeated() && !field.getName().equals(MOUNT_FLAGS) && value.isEmpty()) {
            complain(path, "is empty");
        }
    }

    /** Control characters other than tab, line feed and carriage return. */
    private static boolean banned(int c) {
        return (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || (c >= 0x7f && c <= 0x9f);
    }

    private void checkMap(String path, FieldDescriptor map, List<?> entries) {
        FieldDescriptor keyField = map.getMessageType().findFieldByNumber(1);
        FieldDescriptor valueField = map.getMessageType().findFieldByNumber(2);
        int size = 0;
        for (Object each : entries) {
            String key = (String) ((Message) each).getField(keyField);
            size += bytes(key) + bytes((String) ((Message) each).getField(valueField));
            if (map.getName().equals("secrets") && !SECRET_KEY.matcher(key).matches()) {
                complain(path, "has a key with other characters than letters, digits, '-', '_' and '.'");
            }
        }
        checkBytes(path, size, MAX_MAP_BYTES);
    }

    /** What one field alone does not tell. */
    private void checkWhole(String path, Message message) {
        if (message instanceof VolumeCapability capability) {
            if (capability.getAccessTypeCase() == AccessTypeCase.ACCESSTYPE_NOT_SET) {
                complain(path + "access_type", "is required");
            }
        } else if (message instanceof VolumeContentSource source) {
            if (source.getTypeCase() == TypeCase.TYPE_NOT_SET) {
                complain(path + "type", "is required");
            }
        } else if (message instanceof CapacityRange range) {
            checkRange(path, range);
        } else if (message instanceof TopologyRequirement requirement) {
            if (requirement.getRequisiteCount() > 0
                    && !requirement.getRequisiteList().containsAll(requirement.getPreferredList())) {
                complain(path + "preferred", "names a place that is not in requisite");
            }
        } else if (message instanceof Topology topology) {
            checkTopology(path, topology);
        }
    }

    private void checkRange(String path, CapacityRange range) {
        if (range.getRequiredBytes() == 0 && range.getLimitBytes() == 0) {
            complain(path + "required_bytes", "or limit_bytes is required");
        } else if (range.getLimitBytes() != 0 && range.getLimitBytes() < range.getRequiredBytes()) {
            complain(path + "limit_bytes", "is less than required_bytes");
        }
    }

    private void checkTopology(String path, Topology topology) {
        Set<String> seen = new HashSet<>();
        for (String key : topology.getSegmentsMap().keySet()) {
            if (!seen.add(key.toLowerCase(Locale.ROOT))) {
                complain(path + "segments", "has keys that differ only in case");
            }
        }
    }

    private void checkBytes(String path, int size, int most) {
        if (size > most) {
            complain(path, "has %d bytes, allowed are %d".formatted(size, most));
        }
    }

    private void complain(String path, String text) {
        complaints.add(path + " " + text);
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
