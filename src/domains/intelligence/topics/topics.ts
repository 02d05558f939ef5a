export interface Topic {
  readonly name: string;
  readonly words: readonly string[];
}

export const topics: readonly Topic[] = [
  { name: "military", words: ["troops", "missile", "airstrike", "army", "naval exercise"] },
  { name: "cyber", words: ["ransomware", "malware", "hackers", "data breach", "cyberattack"] },
  { name: "nuclear", words: ["uranium enrichment", "IAEA", "nuclear warhead", "nuclear reactor"] },
  { name: "sanctions", words: ["sanctions", "embargo", "asset freeze", "export controls"] },
  { name: "intelligence", words: ["espionage", "spying", "intelligence agency", "surveillance"] },
  { name: "maritime", words: ["tanker", "strait", "piracy", "naval blockade", "shipping lane"] },
];
