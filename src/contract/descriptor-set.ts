import { type DescFile, type DescService, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { file_google_rpc_error_details } from "../../gen/es/google/rpc/error_details_pb.ts";

/** The files of services, of the details of their errors, and everything that these import, each after what it imports itself. */
export function filesOf(services: readonly DescService[]): readonly DescFile[] {
  const found = new Set<DescFile>();
  const add = (file: DescFile) => {
    if (found.has(file)) return;
    file.dependencies.forEach(add);
    found.add(file);
  };
  for (const { file } of services) add(file);
  add(file_google_rpc_error_details);
  return [...found];
}

/** A `google.protobuf.FileDescriptorSet` as bytes: what a client needs that has no schema file. */
export function descriptorSet(files: readonly DescFile[]): Uint8Array {
  return toBinary(FileDescriptorSetSchema, {
    $typeName: "google.protobuf.FileDescriptorSet",
    file: files.map(({ proto }) => proto),
  });
}

/** One file as bytes. */
export function descriptorBytes({ proto }: DescFile): Uint8Array {
  return toBinary(FileDescriptorProtoSchema, proto);
}
